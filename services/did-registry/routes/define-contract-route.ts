import type { z } from 'zod'
import { zUnsignedTransaction } from '#core/ethereum/z-unsigned-transaction.ts'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import { toHex } from '../adapters/did-registry-contract.ts'
import type { DidRegistryDependencies } from '../dependencies.ts'
import { requireEnvironment } from '../domain/require-environment.ts'
import { errorCodes, refuseInput } from '../errors.ts'

type ContractRequest = z.ZodType<{ readonly did: string; readonly from: string }>

interface ContractRouteOptions<Body extends ContractRequest> {
  /** Name of the operation, the last part of its path. */
  readonly operation: string
  readonly summary: string
  readonly description?: string
  readonly body: Body
  readonly example: z.input<Body>
  /** Ids of the documents' rows that this route implements. */
  readonly rows?: readonly string[]
  /** The contract's call data, or the TestbedError for what the schema cannot judge. */
  call(body: z.output<Body>): Uint8Array
}

const unsignedTransactionExample = {
  to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  data: '0x9db6c98a',
  gasLimit: '0x7a120',
  gasPrice: '0x0',
  chainId: '0x4f25',
  nonce: '0x0',
  value: '0x0',
  from: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
}

/**
 * An endpoint below /contract/: it executes nothing and answers the unsigned transaction that the
 * client signs and sends (Document 2, What the service does). Whether the signer may do so is left
 * to the chain.
 *
 * @assumption A-10
 */
export function defineContractRoute<Body extends ContractRequest>(
  options: ContractRouteOptions<Body>,
): AnyRoute<DidRegistryDependencies> {
  const { operation, summary, description, body, example, rows = [], call } = options
  return defineRoute<DidRegistryDependencies>()({
    method: 'post',
    path: `/api/v1/contract/${operation}`,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: ['Unsigned transactions'],
    auth: 'none',
    request: { body, example },
    responses: {
      200: {
        description: 'Unsigned transaction',
        body: zUnsignedTransaction,
        example: unsignedTransactionExample,
      },
    },
    errors: [errorCodes.validation, errorCodes.unsupported],
    rows,
    invalidInput: refuseInput,
    async handle(input, { environment, transactions, builtTransactions, clock }) {
      const request = input.body as z.output<Body>
      requireEnvironment(request.did, environment, 'did')
      const data = toHex(call(request))
      const transaction = await transactions.build({ from: request.from, data })
      builtTransactions.remember(
        { ...transaction, nonce: BigInt(transaction.nonce) },
        clock.seconds(),
      )
      return { status: 200, body: transaction }
    },
  })
}
