-- The roles of deploy/compose.yaml. Postgres runs this file once, when its volume is empty. The
-- mirror makes its schemas and tables; the board may only read them.
\set ON_ERROR_STOP on
\getenv mirror_password MIRROR_PASSWORD
\getenv board_password BOARD_PASSWORD
create role mirror login password :'mirror_password';
create role board login password :'board_password';
grant create on database :"DBNAME" to mirror;
alter default privileges for role mirror grant usage on schemas to board;
alter default privileges for role mirror grant select on tables to board;
