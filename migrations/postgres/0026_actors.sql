-- Makes others that ask for the same wait until the transaction ends. The advisory lock comes first, since it is granted in
-- the order of the requests: a ban that waits for it goes before later writes that would share it, however many they are.
-- Row locks are not: they would let the later writes share at once.
CREATE FUNCTION forecourt_lock_corporation(corp UUID) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(corp::TEXT, 0));
  PERFORM FROM corporations c WHERE c.corp_id = corp FOR NO KEY UPDATE;
END $$;

-- Locks a user's rights, reads them, and then shows the tenant's rows, all in one round trip. Each statement of the function
-- sees what was committed before it, so it reads what it has locked. Every transaction locks in this order: the corporation,
-- the user, the session.
--
-- With is_exclusive, no other such request of the corporation runs at the same time. Without it, requests run beside each
-- other, but not beside one that may change a type, a role, a grant or a module. The session's row is locked against its
-- deletion alone, which ends the session: it can still be refreshed.
CREATE FUNCTION forecourt_lock_actor(
  actor_corp UUID, actor_user UUID, actor_session UUID, now_micros BIGINT, is_exclusive BOOLEAN, tenant TEXT
) RETURNS TABLE (
  user_type TEXT, role_id UUID, is_banned BOOLEAN, is_active BOOLEAN, corp_active BOOLEAN, allowed TEXT,
  resource_id TEXT, can_read BOOLEAN, can_create BOOLEAN, can_update BOOLEAN, can_delete BOOLEAN
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('forecourt.corp', actor_corp::TEXT, TRUE);
  IF is_exclusive THEN
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
