/** Every fault that the control interface can switch on (`design`: interfaces, section 4). */
export const faultNames = [
  'tir-down',
  'tir-slow',
  'did-registry-down',
  'mail-down',
  'database-down',
  'management-down',
  'connector-down',
  'notification-lost',
  'verifier-down',
  'chain-down',
  'status-list-down',
  'api-keys-down',
  'idp-down',
] as const

export type FaultName = (typeof faultNames)[number]

/** Asked at the one seam of each dependency: HTTP client, database, mail, chain client. */
export interface Faults {
  isActive(name: FaultName): boolean
}

export const noFaults: Faults = { isActive: () => false }
