-- A model's pictures are objects of the store; what was named before no upload could have put there.
update device_models set image_key = null, icon_key = null where image_key is not null or icon_key is not null;
create unique index device_models_image on device_models (image_key) where image_key is not null;
create unique index device_models_icon on device_models (icon_key) where icon_key is not null;
