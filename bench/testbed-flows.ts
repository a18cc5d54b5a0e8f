import { createSigningKey } from '#core/crypto/jws.ts'
import { createVpToken } from '#core/oid4vp/vp-token.ts'
import { type Base, compare, type Figure, type Say, type Step } from './harness.ts'
import {
  benchHolder,
  type IssuanceSystem,
  issue,
  postJson,
  profileRequest,
} from './issuance/issue.ts'
import { type LoginParty, logIn, ourLoginSystem } from './login/log-in.ts'
import { type TestbedProcess, withTestbeds } from './testbed-process.ts'

/** Complete flows on a running testbed, of this revision or another one. */
export interface TestbedFlows {
  /** One complete issuance. */
  issue(step?: Step): Promise<unknown>
  /** One complete login with a credential that the testbed issued. */
  logIn(step?: Step): Promise<void>
}

/** Issues the credential for the logins. Uses only HTTP, so it works with every revision. */
export async function prepareFlows({
  environment,
  control,
}: TestbedProcess): Promise<TestbedFlows> {
  const { credentialIssuerUrl, idpBaseUrl, oidcClient, organizations } = environment
  const issuance: IssuanceSystem = {
    createOffer: () => postJson(`${control.url}/pre/offers`, {}, control.token),
    issuerUrl: credentialIssuerUrl,
    createCredentialRequest: profileRequest,
    // The next answers of the same process are later, so that its work counts anyway.
    recorded: async () => {},
  }
  const credential = await issue(issuance)
  const { did: holderDid, kid } = benchHolder
  const privateKey = createSigningKey(benchHolder.privateKey)
  const system = ourLoginSystem(idpBaseUrl)
  const party: LoginParty = {
    client: oidcClient,
    email: organizations[0]?.representative.email ?? '',
    createPresentation: ({ client_id: audience, nonce }) =>
      createVpToken({
        holderDid,
        kid,
        privateKey,
        audience,
        nonce,
        credentials: [credential],
        now: Math.floor(Date.now() / 1000),
      }),
  }
  return { issue: (step) => issue(issuance, step), logIn: (step) => logIn(system, party, step) }
}

/** From the design; compared with revision ea60648. */
const flowTargets = {
  issue: { unit: 'issuances in a testbed', atLeast: 2, operations: 400 },
  logIn: { unit: 'logins in a testbed', atLeast: 2.5, operations: 200 },
} as const

/** Complete testbeds of this revision and the base, in alternation; nothing without a base. */
export async function compareFlow(
  flow: keyof typeof flowTargets,
  base: Base | undefined,
  say: Say,
): Promise<readonly Figure[]> {
  if (base === undefined) return []
  const { unit, atLeast, operations } = flowTargets[flow]
  return await withTestbeds(base, async (ours, other) => {
    const now = await prepareFlows(ours)
    const before = other === undefined ? now : await prepareFlows(other)
    const loads = [{ concurrency: 8, operations }]
    const peers = [{ name: base.revision, operation: () => before[flow](), atLeast }]
    const side = { name: 'now', operation: () => now[flow]() }
    return await compare({ unit, ours: side, peers, loads }, say)
  })
}
