-- The periodic work of a hosted project. Our own server calls these functions itself.

create function private.schedule_jobs() returns void
  language plpgsql
  set search_path = ''
as $$
begin
  perform
    cron.schedule('finanzas-forget', '*/10 * * * *', 'do $do$ begin while private.purge_expired(500) >= 500 loop commit; end loop; end $do$'),
    cron.schedule('finanzas-record', '*/10 * * * *', 'select private.record_due_expenses(1000)'),
    cron.schedule('finanzas-post', '* * * * *', 'do $do$ begin while private.post_batch_piece(100) loop commit; end loop; end $do$'),
    cron.schedule('finanzas-transfer', '* * * * *', 'select private.run_due_requests(50)'),
    cron.schedule('finanzas-return', '* * * * *', 'do $do$ begin while private.return_pieces(50) > 0 loop commit; end loop; end $do$'),
    cron.schedule('finanzas-tell', '* * * * *', 'select private.tell_customers(1000, 0)');
end
$$;
comment on function private.schedule_jobs() is
  'Schedules the periodic work with the extension pg_cron (docs/hosted.md). The operator calls this function if they enable the extension after the migrations.';

do $$
begin
  if to_regprocedure('cron.schedule(text,text,text)') is not null
    and has_function_privilege('cron.schedule(text,text,text)', 'execute')
  then
    perform private.schedule_jobs();
  end if;
end
$$;

revoke execute on all functions in schema private from public;
