-- A list of vehicles is sorted by any of its fields, and counted by a filter of one, without reading the whole rows; long texts excepted.
CREATE INDEX vehicles_by_id ON vehicles (corp_id, vehicle_id NULLS FIRST, doc);
CREATE INDEX vehicles_by_stock_number ON vehicles (corp_id, stock_number NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_vin ON vehicles (corp_id, vin_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_registration_number ON vehicles (corp_id, registration_number_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_registration_country ON vehicles (corp_id, registration_country_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_make ON vehicles (corp_id, make_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_model ON vehicles (corp_id, model_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_variant ON vehicles (corp_id, variant_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_model_year ON vehicles (corp_id, model_year NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_first_registered ON vehicles (corp_id, first_registered NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_body ON vehicles (corp_id, body_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_fuel ON vehicles (corp_id, fuel NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_transmission ON vehicles (corp_id, transmission NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_colour ON vehicles (corp_id, colour_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_mileage ON vehicles (corp_id, mileage NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_mileage_unit ON vehicles (corp_id, mileage_unit NULLS FIRST, doc) INCLUDE (vehicle_id);
-- Sorted by the beginning: an index can't contain long texts. PostgreSQL reads the rows too, in this order.
CREATE INDEX vehicles_by_mileage_remark ON vehicles (corp_id, substr(mileage_remark_key, 1, 100) NULLS FIRST, doc);
CREATE INDEX vehicles_by_notes ON vehicles (corp_id, substr(notes_key, 1, 100) NULLS FIRST, doc);
CREATE INDEX vehicles_by_ownership ON vehicles (corp_id, ownership NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_vat_scheme ON vehicles (corp_id, vat_scheme NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_purchase_price ON vehicles (corp_id, purchase_price NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_minimum_price ON vehicles (corp_id, minimum_price NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_costs ON vehicles (corp_id, costs_net NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_location ON vehicles (corp_id, location_key NULLS FIRST, doc) INCLUDE (vehicle_id);
CREATE INDEX vehicles_by_version ON vehicles (corp_id, version NULLS FIRST, doc) INCLUDE (vehicle_id);
