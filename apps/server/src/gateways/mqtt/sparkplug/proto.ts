import proto from 'sparkplug-payload/lib/sparkplugPayloadProto.js';

/** The message of Sparkplug B as its library's generated code decodes it. */
export const { Payload } = proto.org.eclipse.tahu.protobuf;

/** A metric as it stands in a message: what its value is depends on its birth, which alone tells the type for certain. */
export type IMetric = InstanceType<typeof Payload.Metric>;
