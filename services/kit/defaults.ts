import { z } from 'zod'

/** Lifetime in seconds of a QR code, and of its offer or session (profile/issuer, Limits). */
export const qrExpirationSeconds = 300

/** Tolerated clock difference between two parties in seconds. */
export const clockToleranceSeconds = 5

/** Seconds for which a cached key set is used, so that a withdrawn key stops working. */
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
  .describe('The environment, which determines the DID prefix')

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
