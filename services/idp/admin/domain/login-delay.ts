export interface DelayPolicy {
  /** Failures without any delay: people mistype. */
  readonly free: number
  /** Seconds that no delay exceeds: whoever locks an account out does so for that long at most. */
  readonly longest: number
}

/** For one account, whether or not there is one of that name. */
export const accountPolicy: DelayPolicy = { free: 3, longest: 900 }

/** For one address, from which several people may come. */
export const addressPolicy: DelayPolicy = { free: 20, longest: 900 }

/** Seconds for which no attempt is looked at after so many failures: 1, 2, 4 and so on. */
export function loginDelay(failures: number, { free, longest }: DelayPolicy): number {
  return failures < free ? 0 : Math.min(2 ** (failures - free), longest)
}
