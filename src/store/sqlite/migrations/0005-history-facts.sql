-- What statistics need of a run that is over, so that they read no compressed state.
ALTER TABLE history ADD COLUMN facts TEXT;
