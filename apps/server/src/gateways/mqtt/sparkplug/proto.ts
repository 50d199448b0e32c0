import proto from 'sparkplug-payload/lib/sparkplugPayloadProto.js';

/** The message of Sparkplug B as the generated code of its library decodes it. */
export const { Payload } = proto.org.eclipse.tahu.protobuf;

/** A metric of a message. The meaning of its value depends on its birth, because only the birth always has the type. */
export type IMetric = InstanceType<typeof Payload.Metric>;
