import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#test/support/repository.ts'
import { applyPatch } from '../install-mutants.ts'
import type { ContractCode } from './contract-mutants.ts'
import { toJavaScript } from './instrument-code.ts'

/** Where the patched chain leaves its provider. */
const register = Symbol.for('testbed.chain-of-mutants')

interface Provider {
  request(call: { method: string; params: readonly unknown[] }): Promise<unknown>
}

const file = 'testbed/chain/create-simulated-network.ts'

/**
 * The source of the chain that lets `replaceContract` change its state, as JavaScript by its path.
 */
export function exposeChain(): Readonly<Record<string, string>> {
  const find = 'const messageOf = ([method, ...params]: NetworkCall) => ({'
  const place = `globalThis[Symbol.for(${JSON.stringify(register.description)})]`
  const request = '({ method, params }) => send(messageOf([method, ...params]))'
  const replace = `${place} = { request: ${request} }\n  ${find}`
  const source = applyPatch(
    readFileSync(join(root, file), 'utf8'),
    { file, find, replace },
    'the chain',
  )
  return { [file]: toJavaScript(source) }
}

interface Transaction {
  readonly hash: string
  readonly to: string | null
  readonly nonce: string
}

/** The operator deploys them with its first transactions, in this order. */
const deployed = ['DidRegistry', 'TrustedIssuersRegistry']

/**
 * Replaces the code of a deployed contract, which keeps its storage.
 * @returns restores the code that it had
 */
export async function replaceContract(mutant: ContractCode): Promise<() => Promise<void>> {
  const provider: Provider = Reflect.get(globalThis, register)
  const request = <Result>(method: string, ...params: unknown[]) =>
    provider.request({ method, params }) as Promise<Result>

  async function findAddress(): Promise<string> {
    const nonce = deployed.indexOf(mutant.contract)
    for (let number = 0; number < 10; number++) {
      const block = await request<{ transactions: Transaction[] } | null>(
        'eth_getBlockByNumber',
        `0x${number.toString(16)}`,
        true,
      )
      const creation = block?.transactions.find((each) => !each.to && Number(each.nonce) === nonce)
      if (creation === undefined) continue
      const receipt = await request<{ contractAddress: string }>(
        'eth_getTransactionReceipt',
        creation.hash,
      )
      return receipt.contractAddress
    }
    throw new TypeError(`${mutant.contract} is not deployed.`)
  }

  const address = await findAddress()
  const before = await request<string>('eth_getCode', address, 'latest')
  await request('hardhat_setCode', address, fillImmutables(mutant, before))
  return async () => {
    await request('hardhat_setCode', address, before)
  }
}

/**
 * Fills in what the constructor set. The ranges in both versions are in the order of the
 * declarations, so that the first, second … value in one is that in the other.
 * @throws TypeError if the mutant has another number of values
 */
function fillImmutables(mutant: ContractCode, before: string): string {
  const compiled = join(root, 'contracts', 'compiled', `${mutant.contract}.json`)
  const correct: ContractCode = JSON.parse(readFileSync(compiled, 'utf8'))
  const code = Buffer.from(before.slice(2), 'hex')
  const values = [
    ...new Set(
      correct.immutables.map(({ start, length }) => code.toString('hex', start, start + length)),
    ),
  ]
  const filled = Buffer.from(mutant.deployedBytecode.slice(2), 'hex')
  let at = -1
  let last = Number.POSITIVE_INFINITY
  for (const { start } of mutant.immutables) {
    // The places of one value are in ascending order.
    if (start < last) at++
    last = start
    filled.write(values[at] ?? '', start, 'hex')
  }
  if (at + 1 !== values.length) throw new TypeError(`${mutant.contract}: a value is missing.`)
  return `0x${filled.toString('hex')}`
}
