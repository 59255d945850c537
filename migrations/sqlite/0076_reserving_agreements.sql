-- signed_count is the number of signed agreements in which a vehicle goes out, which reserve it. It also counted those in which the
-- vehicle comes in or is brokered.
DROP TRIGGER agreement_vehicles_sign;
CREATE TRIGGER agreement_vehicles_sign AFTER INSERT ON agreement_vehicles WHEN new.direction = 'Out' AND new.state = 'Signed' BEGIN
  UPDATE vehicles SET signed_count = signed_count + 1 WHERE corp_id = new.corp_id AND vehicle_id = new.vehicle;
END;
DROP TRIGGER agreement_vehicles_release;
CREATE TRIGGER agreement_vehicles_release AFTER DELETE ON agreement_vehicles WHEN old.direction = 'Out' AND old.state = 'Signed' BEGIN
  UPDATE vehicles SET signed_count = signed_count - 1 WHERE corp_id = old.corp_id AND vehicle_id = old.vehicle;
END;
UPDATE vehicles SET signed_count = (SELECT count(*) FROM agreement_vehicles l WHERE l.corp_id = vehicles.corp_id
    AND l.vehicle = vehicles.vehicle_id AND l.direction = 'Out' AND l.state = 'Signed')
  WHERE signed_count > 0;
UPDATE trash SET content = json_set(content, '$.row.signed_count.number', (SELECT count(*) FROM agreement_vehicles l
    WHERE l.corp_id = trash.corp_id AND l.vehicle = trash.record_id AND l.direction = 'Out' AND l.state = 'Signed'))
  WHERE resource_id = 'vehicles' AND json_extract(content, '$.row.signed_count.number') > 0;
