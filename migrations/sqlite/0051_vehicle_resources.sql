-- The parts of the module "vehicles". Who had permissions on vehicles has the same on their list, and none on costs.
INSERT INTO resources (resource_id, parent_id) VALUES ('vehicles.list', 'vehicles'), ('vehicles.costs', 'vehicles');
INSERT INTO role_permissions (corp_id, role_id, resource_id, can_read, can_create, can_update, can_delete)
  SELECT corp_id, role_id, 'vehicles.list', can_read, can_create, can_update, can_delete
  FROM role_permissions WHERE resource_id = 'vehicles';
