import { z } from 'zod'

/** Lifetime in seconds of a QR code, and of the offer or session behind it (profile/issuer, Limits). */
export const qrExpirationSeconds = 300

/** By how many seconds the clocks of two parties may differ. */
export const clockToleranceSeconds = 5

/** For how many seconds a key set is used before it is read again, so that a withdrawn key ends. */
export const keySetCacheSeconds = 300

/** The longest lifetime of a QR code, in seconds. */
export const longestLifetimeSeconds = 31 * 86_400

/** A lifetime of a QR code, in seconds. */
export const zQrLifetime = z.int().positive().max(longestLifetimeSeconds)

/** QR_EXPIRATION_TIME. */
export const zQrExpirationTime = zQrLifetime
  .default(qrExpirationSeconds)
  .describe('Lifetime of a QR code in seconds')

/** ENVIRONMENT of a registry. */
export const zRegistryEnvironment = z
  .enum(['pre', 'pro'])
  .default('pre')
  .describe('Which DID prefix the DIDs have')

/** EXPLORER_FIRST_BLOCK of a registry. */
export const zExplorerFirstBlock = z
  .int()
  .min(0)
  .default(0)
  .describe('Block in which the contract was deployed: the explorer reads its events from there')

/** GAS_LIMIT_CEILING of a registry. */
export const zGasLimitCeiling = z
  .int()
  .positive()
  .default(15_000_000)
  .describe('Gas limit of a built transaction whose estimate reverts')
