import { createHash } from 'node:crypto'
import type { DefectiveIssuerName } from '#conformance/world/defects/defect.ts'
import type { EnvironmentContext } from '../compose/environment-context.ts'
import type { Accredited } from '../deploy/create-environment-keys.ts'
import { createIdentity } from '../deploy/create-identity.ts'
import { deriveKey } from '../seed/derive-key.ts'

/** Key, DID and attribute of a defective issuer; the same after every start of an environment. */
export function defectiveIdentity(
  { environment, keys }: Pick<EnvironmentContext, 'environment' | 'keys'>,
  name: DefectiveIssuerName,
): Accredited {
  const privateKey = deriveKey(keys.operator.privateKey, `defective-issuers/${name}`)
  const identity = createIdentity(environment, privateKey, 'VATES-D00000005')
  const attributeId = createHash('sha256').update(`accreditation of ${identity.did}`).digest('hex')
  return { ...identity, attributeId }
}
