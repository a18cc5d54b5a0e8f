import { z } from 'zod'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { zPrintableText } from '#kit/z-fields.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import type { RunningEnvironment } from '#testbed/services/running-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { createChainReader } from './read-chain.ts'
import { accredit, changeKey, registerOwnDid, revokeAccreditation } from './write-changes.ts'

const zParams = z.object({ env: z.string().max(64) })
const zDid = z.string().min(1).max(200)
const zAttributeId = z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 64 hex digits')
const zDays = z.int().min(1).max(36_500)
const zVMethodId = z.string().max(64).optional()
/** Names that a person types, separated by commas. */
const zTypes = z
  .string()
  .max(1000)
  .transform((text) => text.split(',').map((type) => type.trim()))
  .pipe(z.array(z.string().min(1).max(100)).min(1).max(20))

/** What a change did, with the receipts of its transactions. */
async function describeChange<Change extends { readonly transactions: readonly string[] }>(
  running: RunningEnvironment,
  { runtime }: ConsoleDependencies,
  change: () => Promise<Change>,
) {
  try {
    const { transactions, ...result } = await change()
    const reader = createChainReader(runtime, running)
    const receipts = transactions.map(async (hash) => {
      const found = await reader.transaction(hash)
      return { hash, method: found?.call?.name, block: found?.blockNumber, gasUsed: found?.gasUsed }
    })
    const headers = { 'cache-control': 'no-store' }
    const body = { ...result, transactions: await Promise.all(receipts) }
    return { status: 201, headers, body }
  } catch (error) {
    // The registry understood the request and rejected it, or mining is held: not an outage.
    if (!isTestbedError(error) || error.status < 500 || !('hash' in error.extra)) throw error
    const { code, message, hints, extra } = error
    throw new TestbedError({ code, status: 409, message, hints, extra })
  }
}

const registerDidRoute = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/registries/:env/dids',
  summary: 'Register a DID',
  auth: 'control',
  documented: false,
  request: {
    params: zParams,
    body: z.strictObject({
      name: z.string().trim().min(1).max(64),
      also_known_as: zPrintableText(200),
      days: zDays.default(3650),
      assertion_method: z.boolean().default(true),
      wallet_id: z.uuid().optional(),
    }),
  },
  responses: { 201: { description: 'The DID, a new private key, and the receipts' } },
  handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const { name, also_known_as: alsoKnownAs, days, assertion_method: assertionMethod } = body
    const options = { name, alsoKnownAs, days, assertionMethod, walletId: body.wallet_id }
    return describeChange(running, dependencies, () =>
      registerOwnDid(running, dependencies, options),
    )
  },
})

const changeKeyRoute = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/registries/:env/keys',
  summary: 'Add, roll, expire or revoke a key of a DID',
  auth: 'control',
  documented: false,
  request: {
    params: zParams,
    body: z.strictObject({
      did: zDid,
      operation: z.enum(['add', 'roll', 'expire', 'revoke']),
      v_method_id: zVMethodId,
      days: zDays.default(3650),
    }),
  },
  responses: { 201: { description: 'A new private key, and the receipts' } },
  handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const { did, operation, v_method_id: vMethodId, days } = body
    return describeChange(running, dependencies, () =>
      changeKey(running, dependencies, did, operation, { vMethodId, days }),
    )
  },
})

const accreditRoute = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/registries/:env/accreditations',
  summary: 'Accredit a DID',
  auth: 'control',
  documented: false,
  request: {
    params: zParams,
    body: z.strictObject({
      did: zDid,
      accreditor: zDid,
      issuer_type: z.enum(['TAO', 'TI']),
      types: zTypes,
      days: zDays.default(3650),
    }),
  },
  responses: { 201: { description: 'The accreditation and the receipts' } },
  handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const { did, accreditor: accreditorDid, issuer_type: issuerType, types, days } = body
    const options = { did, accreditorDid, issuerType, types, days }
    return describeChange(running, dependencies, () => accredit(running, dependencies, options))
  },
})

const revokeRoute = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/registries/:env/revocations',
  summary: 'Revoke an accreditation',
  auth: 'control',
  documented: false,
  request: {
    params: zParams,
    body: z.strictObject({ did: zDid, attribute_id: zAttributeId }),
  },
  responses: { 201: { description: 'The receipt' } },
  handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const attributeId = body.attribute_id.replace(/^0x/, '').toLowerCase()
    const options = { did: body.did, attributeId }
    return describeChange(running, dependencies, () =>
      revokeAccreditation(running, dependencies, options),
    )
  },
})

export const changeRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  registerDidRoute,
  changeKeyRoute,
  accreditRoute,
  revokeRoute,
]
