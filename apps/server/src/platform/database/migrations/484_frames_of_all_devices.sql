-- The newest frames of all devices: rows arrive in the order of their IDs, and a batch has many of them.
create index protocol_frames_newest on protocol_frames (id);
create index frame_batches_newest on frame_batches (last_id);
