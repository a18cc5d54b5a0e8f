import type { z } from 'zod'
import { toHex } from '#core/ethereum/account.ts'
import { zUnsignedTransaction } from '#core/ethereum/transaction.ts'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { exampleTransaction } from '../domain/examples.ts'
import { requireEnvironment } from '../domain/z-fields.ts'
import { bodyErrors, errorCodes, refuseInput } from '../errors.ts'

type ContractRequest = z.ZodType<{
  readonly did: string
  readonly from: string
  readonly controller?: string
}>

interface ContractRouteOptions<Body extends ContractRequest> {
  /** Name of the operation, the last part of its path. */
  readonly operation: string
  readonly summary: string
  readonly description?: string
  readonly body: Body
  readonly example: z.input<Body> & object
  /** Creates the call data, or throws the TestbedError for input that the schema cannot check. */
  call(body: z.output<Body>): Uint8Array
}

/**
 * An endpoint below /contract/: it executes nothing and returns the unsigned transaction, which the
 * client signs and sends (profile/README, The parts). The chain decides whether the signer is
 * authorized.
 *
 * @assumption A-10
 * @row 2.what-the-service-does.1
 */
export function defineContractRoute<Body extends ContractRequest>(
  options: ContractRouteOptions<Body>,
): AnyRoute<Dependencies> {
  const takesKey = 'publicKeyType' in options.example
  const { operation, summary, description, body, example, call } = options
  return defineRoute<Dependencies>()({
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
        get example() {
          return { ...exampleTransaction, data: toHex(call(body.parse(example))) }
        },
      },
    },
    errors: [...bodyErrors, ...(takesKey ? [errorCodes.unsupported] : [])],
    invalidInput: refuseInput,
    async handle(input, { environment, transactions, builtTransactions, clock }) {
      const request = input.body as z.output<Body>
      requireEnvironment(request.did, environment, 'did')
      const { controller } = request
      if (controller !== undefined && !controller.startsWith('0x')) {
        requireEnvironment(controller, environment, 'controller')
      }
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
