/**
 * PostGraphile with its standard preset behind node:http. A verified token's claims become the settings of each
 * request, so that the same policies decide. Runs as a process of its own:
 * node bench/peers/postgraphile.mjs '{"port", "jwtSecret", "url"}'
 */
import { createServer } from 'node:http'
import jsonwebtoken from 'jsonwebtoken'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const { port, jwtSecret, url } = JSON.parse(process.argv[2] ?? '{}')
const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: url, schemas: ['public'] })],
  grafserv: { port, host: '127.0.0.1', graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: {
    explain: false,
    context({ node }) {
      const token = node?.req.headers.authorization?.slice('Bearer '.length) ?? ''
      const claims = jsonwebtoken.verify(token, jwtSecret, { algorithms: ['HS256'] })
      return { pgSettings: { role: claims.role, 'request.jwt.claims': JSON.stringify(claims) } }
    },
  },
}
const server = createServer()
const serv = postgraphile(preset).createServ(grafserv)
await serv.addTo(server)
server.listen(port, '127.0.0.1')
