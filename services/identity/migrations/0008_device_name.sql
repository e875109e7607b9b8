-- The name of a device that a client sends with the first code of an authenticator app: nothing reads it.
alter table mfa_setting drop column device_name;
