-- Networks from which a person has signed in before: limits of attempts treat them separately (docs/decisions/0023).

create function auth.is_known_network(email text, network text) returns boolean
  language sql stable
  set search_path = ''
begin atomic
  select exists (
    select from auth.known_networks n
    join auth.users u on u.id = n.user_id
    where u.email = is_known_network.email and n.network = is_known_network.network
  );
end;
comment on function auth.is_known_network(text, text) is 'Whether the user with this e-mail address has signed in from this network during the last 90 days.';
