-- A value of this type sets the tenant whose rows are visible, until the transaction ends. Every statement has one among its
-- values. PostgreSQL checks a value when it binds it, before the statement runs, so this needs no round trip of its own, and
-- nothing remains on the connection: a statement without such a value sees no rows.
CREATE DOMAIN forecourt_tenant AS TEXT CHECK (set_config('forecourt.corp', VALUE, TRUE) IS NOT NULL);

-- Locks a user's rights and reads them, in one round trip. Each statement of the function sees what was committed before it,
-- so it reads what it has locked. The locks and their order are those of forecourt_lock_actor, which it replaces: nodes of the
-- previous version still call that during an upgrade.
CREATE FUNCTION forecourt_lock_rights(
  actor_corp UUID, actor_user UUID, actor_session UUID, now_micros BIGINT, is_exclusive BOOLEAN
) RETURNS TABLE (
  corp_id UUID, user_id UUID, user_type TEXT, role_id UUID, is_banned BOOLEAN, is_active BOOLEAN, corp_active BOOLEAN,
  allowed TEXT, grants TEXT
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
    SELECT s.corp_id, s.user_id, u.user_type, u.role_id, u.banned_at IS NOT NULL, u.is_active, c.active,
      (SELECT string_agg(a.resource_id, ',') FROM corporation_resources a WHERE a.corp_id = s.corp_id),
      (SELECT string_agg(p.resource_id || ':' || (p.can_read::INTEGER + 2 * p.can_create::INTEGER
        + 4 * p.can_update::INTEGER + 8 * p.can_delete::INTEGER), ',') FROM role_permissions p
        WHERE p.corp_id = s.corp_id AND p.role_id = u.role_id)
    FROM sessions s
    JOIN users u ON u.corp_id = s.corp_id AND u.user_id = s.user_id
    JOIN corporations c ON c.corp_id = s.corp_id
    WHERE s.corp_id = actor_corp AND s.user_id = actor_user AND s.session_id = actor_session
      AND s.expires_at > now_micros;
END $$;
