-- Demo fleets of earlier versions: simulated devices have SSH and web pages now. Only the models of the demo that no
-- other device uses are changed.
update device_models model set ssh_support = true, web_support = true
 where name in ('Generic OCPP 1.6 pile', 'Generic OCPP 2.0.1 pile', 'Home storage unit')
   and exists (select from devices where device_model_id = model.id and sn ~ '^SIM(ESS)?[0-9]{5}$')
   and not exists (
     select from devices device join customers customer on customer.id = device.customer_id
      where device.device_model_id = model.id
        and not (customer.code in ('HARBOUR', 'PENGCHENG', 'STRAITS')
                 and device.sn ~ '^(SIM(ESS)?[0-9]{5}|CP-20417|CP-77160)$')
   );
