import { randomBytes } from 'node:crypto'
import { type Signer, signerOf } from '#core/ethereum/account.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise } from '../../kit/classify-answer.ts'
import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { startProgram } from '../../targets/adapters/programs.ts'
import { createDidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import {
  type ChainControls,
  chainControlsOf,
  createHeldMining,
  createHeldOutage,
} from '../registries/mining.ts'
import {
  type Accreditor,
  type Publication,
  type TirContext,
  type TirNeed,
  tirNeeds,
} from './context.ts'
import { addData, correctData, correctMetadata, prepareSending, publish } from './publications.ts'
import { findAnswered } from './rpc.ts'
import { createTirUnderTest, type TirUnderTest } from './tir-under-test.ts'
import type { TirTarget } from './z-target.ts'

/**
 * Opens the plan against a TIR: the kit is its client, with an API key and with keys of accounts.
 * @param controls of its chain and API key service; by default the verbs of the target
 * @throws TestbedError `not_started` if the target's own program does not become ready
 */
export async function openTirPlan(
  target: Omit<TirTarget, 'plan'>,
  options: OpenPlanOptions,
  { mining, setChainOutage, setApiKeysOutage }: ChainControls = chainControlsOf(
    target.adapter ?? {},
    options,
  ),
): Promise<OpenPlan<TirContext>> {
  const { name, description, baseUrl, didRegistryBaseUrl, environment, apiKey, chain } = target
  const onboardingNode = target.onboardingNode && signerOf(target.onboardingNode.privateKey)
  const operator = target.operator && signerOf(target.operator.privateKey)
  const accreditor = target.accreditor && {
    did: target.accreditor.did,
    attributeId: target.accreditor.attributeId.toLowerCase(),
    signer: signerOf(target.accreditor.privateKey),
  }
  const rightful = [operator, accreditor?.signer].map((signer) => signer?.address)
  const isOutsider = operator !== undefined && !rightful.includes(onboardingNode?.address)
  const { exchanges, signal } = options
  exchanges.hide(apiKey)
  const program = target.start && (await startProgram(target.start, { environment: {}, signal }))
  const held = createHeldMining(mining)
  const accreditors = openAccreditors({ accreditor, operator })
  const switchChain = createHeldOutage(setChainOutage)
  const switchApiKeys = createHeldOutage(setApiKeysOutage)
  const has: Readonly<Record<TirNeed, boolean>> = {
    accreditor: accreditor !== undefined || Boolean(operator && onboardingNode),
    'onboarding-node': onboardingNode !== undefined,
    operator: operator !== undefined,
    mining: mining !== undefined,
    outage: setChainOutage !== undefined,
    'key-outage': setApiKeysOutage !== undefined,
  }
  return {
    plan: 'tir',
    target: {
      name,
      description,
      addresses: {
        TIR: baseUrl,
        'DID registry': didRegistryBaseUrl,
        'chain node': chain.rpcUrl,
      },
    },
    algorithm: 'ES256K',
    // Some checks write five times, on chains with a block every dozen seconds or more.
    timeLimitMilliseconds: 240_000,
    controls: {
      setAttributeData: answers('setAttributeData', correctData),
      setAttributeMetadata: answers('setAttributeMetadata', correctMetadata),
      sendSignedTransaction: answers(
        'sendSignedTransaction',
        async (context) => (await prepareSending(context)).sending,
      ),
    },
    missing: (need) => (has[need as TirNeed] ? undefined : tirNeeds[need as TirNeed]),
    createContext(base) {
      const http = base.httpAs('TAO')
      const chainHttp = base.httpAs('TAO', 'chain node')
      const tir = createTirUnderTest(
        { http, chainHttp },
        { baseUrl, apiKey, chainRpcUrl: chain.rpcUrl },
        base.signal,
      )
      const beside = {
        baseUrl: didRegistryBaseUrl,
        environment,
        chainRpcUrl: chain.rpcUrl,
        onboardingNode,
      }
      const didRegistry = createDidRegistryUnderTest(
        { http: base.httpAs('TAO', 'DID registry'), chainHttp },
        beside,
        base,
      )
      const tools = { tir, didRegistry, environment, tirBaseUrl: baseUrl, now: base.now }
      return {
        ...base,
        tir,
        tirBaseUrl: baseUrl,
        apiKey,
        changeApiKey(change) {
          const changed = change(apiKey)
          exchanges.hide(changed)
          return changed
        },
        environment,
        didRegistry,
        canAccredit: has.accreditor,
        accreditor: () => accreditors.root(tools),
        publication: () => accreditors.publication(tools),
        outsiders: () => ({
          'a new account': didRegistry.createIdentity(),
          ...(onboardingNode && isOutsider && { 'the onboarding node': onboardingNode }),
        }),
        otherAccreditor: () => accreditors.other(tools),
        get operator() {
          if (operator !== undefined) return operator
          throw new TypeError('A check that uses the operator must declare that need')
        },
        mining: held,
        setChainOutage: switchChain,
        setApiKeysOutage: switchApiKeys,
      }
    },
    async settle() {
      // If a verb fails, the next check reports the state of the chain.
      await held.mine().catch(() => {})
      await switchChain(false).catch(() => {})
      await switchApiKeys(false).catch(() => {})
    },
    describeProgram: async () => program?.describeState(),
    close: async () => program?.stop(),
  }
}

/** The control that a method returns a result for valid parameters. */
const answers = (method: string, parametersOf: (context: TirContext) => Promise<object>) => ({
  run: async (context: TirContext) =>
    findAnswered(context.tir.call(method, await parametersOf(context))),
})

/** The inputs for creating the accreditors of a run, from the first check that needs one. */
type AccreditorTools = Pick<
  TirContext,
  'tir' | 'didRegistry' | 'environment' | 'tirBaseUrl' | 'now'
>

/** The TAOs of a run: created once, because each costs transactions that stay on the chain. */
interface Accreditors {
  /** The root of the kit's chain of trust. */
  root(tools: AccreditorTools): Promise<Accreditor>
  /** A second TAO, accredited by the first. */
  other(tools: AccreditorTools): Promise<Accreditor>
  /** An attribute below the first. */
  publication(tools: AccreditorTools): Promise<Publication>
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
function openAccreditors({
  accreditor,
  operator,
}: {
  readonly accreditor: Accreditor | undefined
  readonly operator: Signer | undefined
}): Accreditors {
  const once = <Made>(make: (tools: AccreditorTools) => Promise<Made>) => {
    let made: Promise<Made> | undefined
    return (tools: AccreditorTools) => {
      made ??= asPremise('getting a TAO that accredits', make(tools)).catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    }
  }
  const newAttributeId = () => randomBytes(32).toString('hex')

  const root = once(async (tools) => {
    const { tir, didRegistry } = tools
    if (accreditor !== undefined) return requireAccredited(tir, accreditor)
    if (operator === undefined)
      throw new TypeError('A check that accredits must declare the need accreditor')
    const signer = await didRegistry.register()
    const { did } = signer
    const attributeId = newAttributeId()
    const above = { taoDid: did, attributeIdTao: attributeId }
    const metadata = { did, attributeId, issuerType: 'ROOT_TAO', ...above } as const
    await tir.writeMetadata(metadata, operator)
    const created = { did, attributeId, signer }
    await addData(tools, metadata, created, operator)
    return created
  })
  const other = once(async (tools) => {
    const by = await root(tools)
    const signer = await tools.didRegistry.register()
    const { did } = signer
    const attributeId = newAttributeId()
    const above = { taoDid: by.did, attributeIdTao: by.attributeId }
    const metadata = { did, attributeId, issuerType: 'TAO', ...above } as const
    await tools.tir.writeMetadata(metadata, by.signer)
    await addData(tools, metadata, by)
    return { did, attributeId, signer }
  })
  const publication = once((tools) => publish({ ...tools, accreditor: () => root(tools) }))
  return { root, other, publication }
}
