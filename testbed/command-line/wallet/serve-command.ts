import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { holderCurves } from '#core/crypto/suites.ts'
import { createLog, readLogLevel } from '#kit/log.ts'
import { hostInUrl } from '#kit/origins.ts'
import { createRuntime } from '#kit/runtime.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { listen, walletPart } from '#testbed/process/listen.ts'
import {
  connectWallet,
  findTrust,
  type NetworkOptions,
} from '#testbed/wallet-server/connect-wallet.ts'
import {
  createWalletServer,
  createWalletSession,
} from '#testbed/wallet-server/create-wallet-server.ts'
import { createWalletHttp } from '#wallet-emulator/http/create-wallet-http.ts'
import type { CreateAccountOptions } from '#wallet-emulator/keys/create-account.ts'
import { waitForSignal } from '../exit-codes.ts'
import { print, printJson, say } from '../terminal.ts'
import { openAccount } from './open-wallet.ts'
import {
  addFaultOption,
  addNetworkOptions,
  addWaitOption,
  deferralOf,
  type FaultOption,
  type WaitOption,
} from './wallet-options.ts'

interface ServeOptions
  extends NetworkOptions,
    FaultOption,
    WaitOption,
    Pick<CreateAccountOptions, 'curve' | 'didMethod'> {
  readonly json?: boolean
  readonly wallet?: string
  readonly port: number
  readonly bind: string
  readonly token?: string | boolean
}

/**
 * `testbed wallet serve`: offers the wallet over HTTP, as four verbs for third-party test suites.
 */
export function addServeCommand(parent: Command): void {
  addFaultOption(addWaitOption(addNetworkOptions(parent.command('serve'))))
    .description('serve a wallet over HTTP: accept-offer, present, list, reset')
    .option('-w, --wallet <name>', 'a stored wallet; default: a new wallet in memory')
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .option('--port <n>', 'port to listen on; 0 chooses a free one', readPort, 0)
    .option('--bind <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--token [text]',
      'Bearer token that callers must send; without a value, a random token',
    )
    .addOption(new Option('--curve <curve>', 'curve of the key').choices(holderCurves))
    .addOption(new Option('--did-method <method>', 'DID method').choices(['key', 'jwk']))
    .action((_, command: Command) => serve(command.optsWithGlobals<ServeOptions>()))
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Use a port from 0 to 65535.')
}

const loopback = ['127.0.0.1', 'localhost', '::1']

async function serve(options: ServeOptions): Promise<void> {
  const { wallet, port: wanted, bind, curve, didMethod, fault = [] } = options
  if (options.token === '') throw wrongUsage('The value of --token is empty.')
  if (wallet !== undefined && (curve ?? didMethod) !== undefined) {
    throw wrongUsage('A stored wallet keeps its key. Omit --curve and --did-method, or --wallet.')
  }
  const token =
    options.token === true ? randomBytes(16).toString('hex') : options.token || undefined
  if (token === undefined && !loopback.includes(bind)) {
    throw wrongUsage(`Any client that reaches ${bind} could use this wallet.`, [
      'Add --token, or listen on loopback.',
    ])
  }
  // Reports an invalid address at the start rather than to a later client.
  findTrust(createWalletHttp(), { testbed: undefined, foreign: options, link: '' })
  const session = createWalletSession({
    ...(wallet === undefined ? {} : { kept: await openAccount({ ...options, wallet }) }),
    defaults: { faults: fault, ...(curve && { curve }), ...(didMethod && { didMethod }) },
  })
  const signalled = waitForSignal()
  const listener = await listen(bind, wanted, walletPart)
  const { port } = listener
  const baseUrl = `http://${hostInUrl(bind)}:${port}`
  listener.serve(
    createWalletServer({
      session,
      ...deferralOf(options),
      connect: (played, link) => connectWallet(played, { ...options, link }),
      baseUrl,
      runtime: createRuntime({ log: createLog({ level: readLogLevel(process.env, 'warn') }) }),
      token,
    }),
  )
  const { did } = session.wallet.account
  if (options.json) printJson({ url: baseUrl, ...(token === undefined ? {} : { token }), did })
  else {
    say(`Wallet of ${did}`)
    say('POST /accept-offer, POST /present, GET /list, POST /reset; parameters: /docs')
    if (token !== undefined) say(`Token: ${token}`)
    print(baseUrl)
    say('Press Ctrl-C to stop.')
  }
  process.exitCode = await signalled
  await listener.close()
}
