import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import { createStatusEntry } from '#core/status-list/status-list-credential.ts'
import {
  createHolder,
  mandate as defaultMandate,
  type Party,
  type TrustWorld,
} from './create-trust-world.ts'
import { createCredentialWithDefect } from './defects/create-credential-with-defect.ts'
import type { Defect } from './defects/defect.ts'
import { registerDefectiveIssuer } from './register-issuer.ts'

export interface IssueCredentialOptions {
  readonly holderDid: string
  /** Time of the signature in Unix seconds. */
  readonly now: number
  /** By default that of the defect, or else of the world. */
  readonly issuer?: Party
  /** The defect; by default none. */
  readonly defect?: Defect | undefined
  readonly mandate?: Mandate
  /** Status lists are below it; by default the world's first credential issuer. */
  readonly credentialIssuerUrl?: string
}

const revokedIndex = 13

/** Issues a credential of a party of the trust world, valid except for its defect. */
export function issueCredential(world: TrustWorld, options: IssueCredentialOptions): string {
  const { policy, tao } = world
  const { holderDid, now, defect, mandate = defaultMandate } = options
  const { credentialIssuerUrl = policy.credentialIssuerUrls[0] } = options
  const issuer =
    options.issuer ??
    (defect?.issuer ? registerDefectiveIssuer(world, defect.issuer) : world.issuer)
  const statusListUrl = (list: number) => `${credentialIssuerUrl}/status-lists/${list}`
  const firstList = statusListUrl(1)
  if (defect?.revoked || !world.statusLists.has(firstList)) {
    world.publishStatusList([revokedIndex], world.issuer, firstList)
  }
  return createCredentialWithDefect({
    defect,
    world: {
      now,
      environment: policy.environment,
      tirBaseUrl: policy.tirBaseUrl,
      statusListUrl,
      type: policy.acceptedType,
      inheritedTypes: policy.inheritedTypes,
      issuer,
      tao,
      otherHolderDid: createHolder('another holder').did,
      unknownDid: `did:org:${policy.environment === 'pre' ? 'uc-pre' : 'uc'}:z1UnknownToTheRegistry`,
      revokedStatus: createStatusEntry({ statusListUrl: statusListUrl(1), index: revokedIndex }),
    },
    signer: issuer,
    holderDid,
    mandate,
  })
}
