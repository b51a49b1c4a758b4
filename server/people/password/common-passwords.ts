// This list was written for this product from general knowledge. Because the file contains only data, it may be longer
// than other files.
/**
 * Words that occur in common passwords, in lower case, and the suffixes that usually follow them. Each word followed by
 * any of the suffixes is a common password, and each literal is a common password too.
 */

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/** Beginnings of common passwords. Each beginning is a common password itself. */
export const commonWords: readonly string[] = words(`
  password passwort passw0rd contrasena contrasenia contra clave miclave mipassword secreto secreta secret admin
  administrador administrator root toor usuario user username invitado guest login welcome bienvenido bienvenida
  entrar acceso access default changeme cambiame temporal temp test prueba pruebas testing demo hola holamundo
  hello hellohello helloworld qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qwe qweasd
  qweasdzxc abc abcd abcde abcdef abcdefg abcdefgh iloveyou loveyou ilove love lovely lover mylove teamo tequiero
  teamomucho miamor amor amorcito amores amormio tuyyo nosotros besos corazon cariño carino mivida vida vidamia
  siempre parasiempre forever letmein trustno whatever nothing nada nadie todo sunshine sunflower princess princesa
  princesita principe rey reina queen king prince master monkey dragon shadow football futbol soccer baseball
  basketball basquetbol tennis tenis hockey superman batman spiderman ironman hulk joker starwars pokemon pikachu
  naruto goku dragonball sonic mario luigi zelda minecraft fortnite roblox freefire freedom libertad michael michelle
  jennifer jessica ashley daniel daniela andrew andrea andres jordan joshua jonathan matthew thomas robert charlie
  maggie ginger pepper cookie chocolate vanilla vainilla cheese banana orange naranja manzana apple computer
  computador computadora internet google facebook instagram whatsapp twitter youtube tiktok samsung iphone android
  nokia motorola huawei xiaomi microsoft windows linux ubuntu network server servidor system sistema oracle mysql
  postgres database mustang ferrari porsche mercedes toyota honda yamaha suzuki corvette camaro harley chevrolet
  mazda renault hyundai nissan ford bmw audi summer verano winter invierno spring primavera autumn otono enero
  febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre january february march april
  june july august september october november december lunes martes miercoles jueves viernes sabado domingo monday
  tuesday wednesday thursday friday saturday sunday liverpool arsenal chelsea manchester barcelona barca realmadrid
  madrid juventus milan inter boca bocajuniors river riverplate nacional atletico atleticonacional millonarios
  america americadecali deportivocali junior juniortupapa santafe tolima envigado seleccion mifutbol messi ronaldo
  cristiano neymar falcao james jamesrodriguez shakira karolg maluma jbalvin badbunny colombia colombiano colombiana
  micolombia vivacolombia bogota medellin cali barranquilla cartagena bucaramanga pereira manizales armenia ibague
  cucuta santamarta villavicencio pasto neiva popayan monteria sincelejo valledupar tunja antioquia paisa cafe
  cafecito arepa empanada aguacate mexico argentina venezuela ecuador peru chile bolivia uruguay paraguay espana
  panama cuba brasil america estadosunidos miami newyork california london paris roma italia francia alemania japon
  jesus jesucristo jesusteamo jesusmeama dios diosteama diosmio diosesamor diosesfiel cristo cristovive bendicion
  bendiciones amen angel angeles angelito angelita gloria fe esperanza milagro milagros virgen maria mariajose
  mariafernanda mariaisabel mariapaula marialuisa juan juancarlos juanpablo juandavid juancamilo juanjose juanita
  jose joseluis josemanuel luis luisfernando luisa carlos carlosandres carolina camilo camila catalina claudia cesar
  cristian christian cristina david davidsantiago diana diego eduardo elena elizabeth enrique esteban fabian felipe
  fernanda fernando francisco gabriel gabriela german gloria gonzalo guillermo gustavo hector hernan hugo ignacio
  isabel isabella ivan jaime javier jhon jhonatan jimena joaquin johana jorge julian juliana julio karen karina
  kevin laura leidy leonardo liliana lina lorena lucas lucia luciana luz manuel marcela marcelo marco marcos
  margarita mario martha martin mateo matias mauricio mayra mercedes miguel miguelangel milena monica nancy natalia
  nataly nelson nicolas nicole olga oscar pablo paola patricia paula pedro pilar rafael ramiro raul rebeca ricardo
  roberto rocio rodrigo rosa ruben salome samuel sandra santiago sara sebastian sergio silvia simon sofia sonia
  susana tatiana teresa tomas valentina valeria vanessa veronica vicente victor victoria viviana william wilson
  ximena yamile yolanda yuliana zoe rodriguez martinez garcia gomez lopez gonzalez hernandez sanchez perez ramirez
  torres diaz rojas moreno munoz vargas castro ortiz jimenez alvarez ruiz gutierrez suarez cardenas herrera medina
  mama mami mamita papa papi papito mamapapa mifamilia familia family mihija mihijo mishijos hijo hija hermano
  hermana abuela abuelo bebe bebita bebito baby babygirl babyboy princesa chiquita chiquito gordita gordito flaca
  flaco negra negrito negrita mono monita nena nene linda lindo hermosa hermoso bonita bonito bella guapa guapo
  preciosa muneca reinita diosa diablo diablita demonio loco loca locura perro perrito perra gato gatito gatita
  caballo conejo tigre leon pantera aguila halcon lobo delfin mariposa mariposita tortuga paloma estrella estrellita
  luna lunita sol solecito cielo cielito mar marino oceano playa arena arcoiris nube lluvia fuego tierra agua flor
  flores florecita rosa rosas rosita girasol margaritas violeta azul verde rojo negro blanco amarillo morado rosado
  blue green black white yellow purple silver golden diamond diamante oro plata esmeralda perla dinero plata money
  millonario rico riqueza suerte lucky fortuna exito success ganador winner campeon champion victoria gloria fuerza
  power poder guerrero warrior soldier soldado policia ejercito killer hunter ranger rebelde rebel sexy sexygirl
  hottie cutie angel1 heaven hello1 secret1 buster tigger snoopy mickey minnie disney barbie hellokitty kitty bubbles
  butterfly rainbow blossom flower cherry peaches strawberry fresa cereza limon sandia mango pina coco caramelo
  dulce dulcecito bombon galleta helado pizza hamburguesa cerveza aguardiente tequila vodka whisky ron
  rock rockandroll metallica nirvana ironmaiden acdc beatles slipknot linkinpark eminem music musica guitarra guitar
  piano bateria salsa reggaeton vallenato cumbia bachata merengue champeta dance bailar baile fiesta rumba party
  happy feliz felicidad alegria sonrisa smile risas paz peace amistad amigo amiga amigos amigas friends friend
  bestfriend mejoramigo trabajo work oficina office empresa negocio tienda gerente jefe secretaria contador abogado
  doctor medico enfermera ingeniero profesor maestra estudiante universidad colegio escuela school college student
  teacher banco mibanco finanzas misfinanzas ahorro ahorros cuenta micuenta tarjeta credito debito bancario dinero
  bancolombia davivienda nequi daviplata bbva avvillas colpatria bancopopular cajero transferencia presupuesto
  seguridad security seguro segura protegido privado private personal mialma mialmagemela alma gemela destino
  navidad christmas cumpleanos birthday halloween fantasma vampiro zombie bruja hechicera mago magia magic
  nuevaclave nuevacontrasena miclavesegura clavesegura contrasenasegura mypassword newpassword password123
  superuser supervisor manager operator operador soporte support helpdesk service servicio cliente clientes
`)

/** Usual suffixes. */
export const commonEndings: readonly string[] = [
  ...words(`0 1 2 3 4 5 6 7 8 9 11 22 33 44 55 66 77 88 99 00 007 01 02 03 10 12 13 14 15 16 17 18 19 20 21 23 24 25
    26 27 28 29 30 69 98 97 96 95 94 93 92 91 90 100 101 111 121 123 124 200 222 234 300 321 333 360 420 444 456
    500 555 666 777 789 888 987 999 1000 1010 1111 1122 1212 1221 1234 1357 2222 2468 3333 4321 4444 5555 6666 6789
    7777 7890 8888 9999 11111 12121 12345 54321 55555 77777 99999 000 0000 00000 000000 111111 112233 121212 123123
    123321 123456 159753 222222 456789 654321 666666 696969 777777 888888 999999 1234567 7654321 12345678 123456789
    1234567890 ! !! !!! . .. ... * ** # $ % & @ ? + - _ 1! 12! 123! 1234! 12345! 123456! 1. 12. 123. 1234. 123* 1234*
    123# 1234# 123$ 1234$ 123+ 123- 123_ @1 @12 @123 @1234 #1 #123 _1 _123 -1 -123 .1 .123 *1 *123 1@ 123@ a ab abc
    a1 x xd xyz z yo tu mio mia s es ito ita 1a 1b 1q 2k qwe qwerty asd zxc
    bog med col co`),
  ...Array.from({ length: 87 }, (_, index) => String(1944 + index)),
  ...Array.from({ length: 31 }, (_, index) => `@${2000 + index}`),
  ...Array.from({ length: 31 }, (_, index) => `${2000 + index}!`),
  ...Array.from({ length: 31 }, (_, index) => `${2000 + index}.`),
  ...Array.from({ length: 31 }, (_, index) => `${2000 + index}*`),
]

/**
 * Rows of neighbouring keys. A password that is part of a row of the keyboard, read forwards or backwards, is common.
 */
export const keyboardWalks: readonly string[] = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertyuiopasdfghjklñzxcvbnm',
  'qwertyuiopqwertyuiop',
  'asdfghjklasdfghjkl',
  'asdfghjklñasdfghjklñ',
  'zxcvbnmzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1s2d3f4g5h6j7k8l9',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
  'qweasdzxcqweasdzxc',
  'qwerasdfzxcv',
  '123qweasdzxc',
  'qwe123asd456zxc789',
  '1qazxsw23edcvfr45tgb',
  '147258369147258369',
  '159357159357',
  '741852963741852963',
  '789456123789456123',
  '321654987321654987',
  '123qwe456asd789zxc',
  '1234qwerasdfzxcv',
  'qwer1234asdf5678',
  'asdf1234qwer5678',
  'zaq12wsxcde34rfv',
]

/** Common passwords without a suffix. */
export const commonLiterals: readonly string[] = words(`
  trustno1 p4ssw0rd passw0rd1 pa55word pa55w0rd jordan23 blink182 ncc1701d ncc1701e access14 1234abcd abcd1234
  abc12345 a1234567 a12345678 a123456789 q1234567 z1234567 1234567a 12345678a 123456789a 1234567q 123456ab 123abc123
  123456abc 1234abc! aa123456 aa12345678 abc123456 qq123456 qwerty123456 1q2w3e4r. zxcvbnm1 zxcvbnm123 123qwe123
  123456qwerty 123456aa 12345qwert 12qwaszx qwaszx12 11223344 112233445566 44332211 12341234 13131313 12121212
  10203040 102030405060 100200300 01020304 10101010 20202020 69696969 31415926 314159265 27182818 11235813
  19283746 147896325 1478963250 741258963 963852741 987456321 159263487 12369874 1236987450 963258741 852456951
  iloveyou2 iloveyou! iloveu123 iluvyou2 loveyou2 ilovegod ilovejesus godisgood jesuslives jesus777 inocencia
  correcthorsebatterystaple thisismypassword estaesmiclave estaesmicontrasena noselodigas nomeacuerdo olvidemiclave
  mellamojuan yosoyyo soyelmejor soylamejor teodioamor quiereme eresmivida amorysalud vivalavida hakunamatata
  12345678910 1234554321 1234567899 0987654321 09876543 98765432 987654321 9876543210 123123123 321321321 456456456
  789789789 147147147 159159159 112112112 911911911 00112233 55667788 66778899 99887766 11221122 22334455 33445566
  baseball1 football1 superman1 starwars1 computer1 michelle1 jennifer1 sunshine1 princess1 internet1 whatever1
  samsung1 samsung123 windows10 windows11 microsoft1 office365 teletubbies sesamestreet spongebob bobesponja
  monkey123 dragon123 master123 shadow123 letmein123 welcome123 hello1234 summer2024 winter2024 spring2024
`)
