import type { LinkPolicyValues } from '@chargehand/contract';
import type { LinkPolicy } from '@chargehand/domain';

/** The rules of a customer as the API has them, with times of the day. */
export function valuesOf({ secondPerson, hours, web }: LinkPolicy): LinkPolicyValues {
  return { secondPerson, hours: hours && { from: timeOf(hours.from), until: timeOf(hours.until) }, web };
}

/** The rules of a customer as they are stored, with minutes of the day. */
export function policyOf({ secondPerson, hours, web }: LinkPolicyValues): LinkPolicy {
  return { secondPerson, hours: hours && { from: minuteOf(hours.from), until: minuteOf(hours.until) }, web };
}

function timeOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
