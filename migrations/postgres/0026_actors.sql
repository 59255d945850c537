-- Makes others who ask for the same wait until the transaction ends. The lock that has no row is asked for first: whoever
-- waits for it alone goes before those who come later and would share it, so that many small writes never keep a ban waiting.
CREATE FUNCTION forecourt_lock_corporation(corp UUID) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(corp::TEXT, 0));
  PERFORM FROM corporations c WHERE c.corp_id = corp FOR NO KEY UPDATE;
END $$;

-- Locks what decides what a user may do, reads it, and then shows the tenant's rows, all in one round trip. Each statement
-- of the function sees what was committed before it, so what is read is what was locked. The order, which all keep: the
-- corporation, the user, the session.
--
-- With is_alone no other such request of the corporation runs at the same time. Without, they share the corporation's lock:
-- they run beside each other, but none beside one that may change a type, a role, a grant or a module. The session's row
-- is locked against its deletion alone, which ends it: refreshing it goes on.
CREATE FUNCTION forecourt_lock_actor(
  actor_corp UUID, actor_user UUID, actor_session UUID, now_micros BIGINT, is_alone BOOLEAN, tenant TEXT
) RETURNS TABLE (
  user_type TEXT, role_id UUID, is_banned BOOLEAN, is_active BOOLEAN, corp_active BOOLEAN, allowed TEXT,
  resource_id TEXT, can_read BOOLEAN, can_create BOOLEAN, can_update BOOLEAN, can_delete BOOLEAN
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('forecourt.corp', actor_corp::TEXT, TRUE);
  IF is_alone THEN
    PERFORM forecourt_lock_corporation(actor_corp);
    PERFORM FROM users u WHERE u.corp_id = actor_corp AND u.user_id = actor_user FOR NO KEY UPDATE;
  ELSE
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(actor_corp::TEXT, 0));
  END IF;
  PERFORM FROM sessions s WHERE s.corp_id = actor_corp AND s.session_id = actor_session FOR KEY SHARE;
  RETURN QUERY
    SELECT u.user_type, u.role_id, u.banned_at IS NOT NULL, u.is_active, c.active,
      (SELECT string_agg(a.resource_id, ',') FROM corporation_resources a WHERE a.corp_id = s.corp_id),
      p.resource_id, p.can_read, p.can_create, p.can_update, p.can_delete
    FROM sessions s
    JOIN users u ON u.corp_id = s.corp_id AND u.user_id = s.user_id
    JOIN corporations c ON c.corp_id = s.corp_id
    LEFT JOIN role_permissions p ON p.corp_id = s.corp_id AND p.role_id = u.role_id
    WHERE s.corp_id = actor_corp AND s.user_id = actor_user AND s.session_id = actor_session
      AND s.expires_at > now_micros;
  PERFORM set_config('forecourt.corp', tenant, TRUE);
END $$;
