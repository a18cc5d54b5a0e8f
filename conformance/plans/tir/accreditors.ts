import { randomBytes } from 'node:crypto'
import type { Signer } from '#core/ethereum/account.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise } from '../../kit/classify-answer.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import type { Accreditor } from './context.ts'
import type { TirUnderTest } from './tir-under-test.ts'

/** The inputs for creating the accreditors of a run, from the first check that needs one. */
interface AccreditorTools {
  readonly tir: TirUnderTest
  readonly didRegistry: DidRegistryUnderTest
}

/** The TAOs of a run: created once, because each costs transactions that stay on the chain. */
export interface Accreditors {
  /** The root of the kit's chain of trust. */
  root(tools: AccreditorTools): Promise<Accreditor>
  /** A second TAO, accredited by the first. */
  other(tools: AccreditorTools): Promise<Accreditor>
}

/** Verifies the target's statement about its accreditor before a check depends on it. */
async function requireAccredited(tir: TirUnderTest, accreditor: Accreditor): Promise<Accreditor> {
  const { did, attributeId } = accreditor
  if ((await tir.readAttribute(did, attributeId)) !== undefined) return accreditor
  endCheck(
    inconclusive(`The TIR has no attribute ${attributeId} of the target's accreditor ${did}`),
  )
}

/**
 * The root is the target's own accreditor, or a root that its operator publishes for the kit. If
 * that fails, the next check tries again.
 */
export function openAccreditors({
  accreditor,
  operator,
}: {
  readonly accreditor: Accreditor | undefined
  readonly operator: Signer | undefined
}): Accreditors {
  const once = (make: (tools: AccreditorTools) => Promise<Accreditor>) => {
    let made: Promise<Accreditor> | undefined
    return (tools: AccreditorTools) => {
      made ??= asPremise('getting a TAO that accredits', make(tools)).catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    }
  }
  const newAttributeId = () => randomBytes(32).toString('hex')

  const root = once(async ({ tir, didRegistry }) => {
    if (accreditor !== undefined) return requireAccredited(tir, accreditor)
    if (operator === undefined)
      throw new TypeError('A check that accredits must declare the need accreditor')
    const signer = await didRegistry.register()
    const { did } = signer
    const attributeId = newAttributeId()
    const above = { taoDid: did, attributeIdTao: attributeId }
    const metadata = { did, attributeId, issuerType: 'ROOT_TAO', ...above } as const
    await tir.writeMetadata(metadata, operator)
    return { did, attributeId, signer }
  })
  const other = once(async (tools) => {
    const by = await root(tools)
    const signer = await tools.didRegistry.register()
    const { did } = signer
    const attributeId = newAttributeId()
    const above = { taoDid: by.did, attributeIdTao: by.attributeId }
    await tools.tir.writeMetadata({ did, attributeId, issuerType: 'TAO', ...above }, by.signer)
    return { did, attributeId, signer }
  })
  return { root, other }
}
