-- signed_count is the number of signed agreements in which a vehicle goes out, which reserve it. It also counted those in which the
-- vehicle comes in or is brokered.
DROP TRIGGER agreement_vehicles_sign ON agreement_vehicles;
CREATE TRIGGER agreement_vehicles_sign AFTER INSERT ON agreement_vehicles
  FOR EACH ROW WHEN (NEW.direction = 'Out' AND NEW.state = 'Signed') EXECUTE FUNCTION agreement_vehicles_signed();
DROP TRIGGER agreement_vehicles_release ON agreement_vehicles;
CREATE TRIGGER agreement_vehicles_release AFTER DELETE ON agreement_vehicles
  FOR EACH ROW WHEN (OLD.direction = 'Out' AND OLD.state = 'Signed') EXECUTE FUNCTION agreement_vehicles_signed();
UPDATE vehicles SET signed_count = (SELECT count(*) FROM agreement_vehicles l WHERE l.corp_id = vehicles.corp_id
    AND l.vehicle = vehicles.vehicle_id AND l.direction = 'Out' AND l.state = 'Signed')
  WHERE signed_count > 0;
UPDATE trash SET content = jsonb_set(content::JSONB, '{row,signed_count,number}', to_jsonb((SELECT count(*)
    FROM agreement_vehicles l WHERE l.corp_id = trash.corp_id AND l.vehicle = trash.record_id AND l.direction = 'Out'
      AND l.state = 'Signed')))::TEXT
  WHERE resource_id = 'vehicles' AND (content::JSONB #>> '{row,signed_count,number}')::BIGINT > 0;
