import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { readPublicKey } from '#conformance/kit/evidence/operator-key.ts'
import {
  createSignedResultKind,
  signedResultKind,
} from '#conformance/kit/evidence/verify-signed-result.ts'
import { createStatementKind, statementKind } from '#conformance/kit/evidence/verify-statement.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import type { ExplainableKind, Explanation } from '#core/explanation/explanation.ts'
import { displayTime } from '#core/text/display-time.ts'
import { describeFileError } from '#kit/files.ts'
import { wrongUsage } from '#scenarios/errors.ts'
import { explain } from '#testbed/library/explain.ts'
import { readTestbedClock, readTestbedFile } from '#testbed/runs/running-testbed.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatExplanation } from '../format-explanation.ts'
import { collect, instantOf, readInput, urlOf } from '../options.ts'
import { print, printJson, say } from '../terminal.ts'

export const summary = 'explain a credential, presentation, offer, request or accreditation'

export const examples = [
  ['verify credential.jwt', 'the verdict of each rule of a credential'],
  ['verify screenshot.png --fetch', 'an offer or a request in a QR code'],
  ['verify statement/statement.jws --key vendor.pem --offline', 'a statement about a product'],
  ['verify presentation.jwt --audience did:org:uc-pre:z1… --nonce n-0S6', 'a presentation'],
] as const

/** `testbed verify`: each rule of a message, its verdict, and what was found. */
export function configure(command: Command): void {
  command
    .argument(
      '<file>',
      'a file with text, JSON, a JWT or a QR code (PNG, JPEG); - for stdin; or the message itself',
    )
    .option('--data <folder>', 'the data folder of the testbed', '.testbed')
    .addOption(
      new Option(
        '--env, --environment <environment>',
        "environment; default: that of the signer's DID",
      ).choices(['pre', 'pro']),
    )
    .option('--did-registry <url>', 'base address of the DID registry', urlOf)
    .option('--tir <url>', 'base address of the TIR', urlOf)
    .option('--root-did <did>', 'a trusted root; repeatable', collect)
    .option(
      '--credential-issuer <url>',
      'the credential issuer of metadata and status lists',
      urlOf,
    )
    .option('--offline', 'make no network request')
    .option('--fetch', 'fetch what a link refers to')
    .option('--allow-private-addresses', 'also fetch from this machine and its network')
    .option('--at <time>', 'evaluate the rules at that time: Unix seconds or ISO 8601', instantOf)
    .option('--audience <id>', "the expected audience: the verifier's client_id, a proof's issuer")
    .option('--nonce <nonce>', 'the expected nonce or c_nonce')
    .option('--query-id <id>', 'the id of the query in the presentation request')
    .option(
      '--type <type>',
      "the accepted credential type; default: the running testbed's, else OrgPortalLearCredential",
    )
    .option(
      '--key <file>',
      'public key (JWK or PEM) of the signer of a conformance result or statement',
    )
    .option('--strict', 'also fail if a rule could not be checked')
    .action(verify)
}

interface VerifyOptions {
  readonly json?: boolean
  readonly data: string
  readonly environment?: DidEnvironment
  readonly didRegistry?: string
  readonly tir?: string
  readonly rootDid?: readonly string[]
  readonly credentialIssuer?: string
  readonly offline?: boolean
  readonly fetch?: boolean
  readonly allowPrivateAddresses?: boolean
  readonly at?: number
  readonly audience?: string
  readonly nonce?: string
  readonly queryId?: string
  readonly type?: string
  readonly strict?: boolean
  readonly key?: string
}

async function verify(file: string, options: VerifyOptions): Promise<void> {
  const { json, offline, at, strict, didRegistry, tir, rootDid, credentialIssuer, key } = options
  const isForeign = [didRegistry, tir, rootDid].some((value) => value !== undefined)
  if (offline && isForeign) throw wrongUsage('--offline makes no request: omit the addresses.')
  if (offline && options.fetch) throw wrongUsage('--offline makes no request: omit --fetch.')
  const message = await readMessage(file)
  const testbed = offline || isForeign ? undefined : await readTestbedFile(options.data)
  const now = at ?? (await readTestbedClock(testbed))()
  const named = {
    didRegistryBaseUrl: didRegistry,
    tirBaseUrl: tir,
    rootDids: rootDid,
    credentialIssuerUrls: credentialIssuer === undefined ? undefined : [credentialIssuer],
  }
  const explanation = await explain(message, {
    now,
    testbed,
    registries: isForeign ? { pre: named, pro: named } : undefined,
    environment: options.environment,
    acceptedType: options.type,
    audience: options.audience,
    nonce: options.nonce,
    queryId: options.queryId,
    credentialIssuer,
    fetchReferences: options.fetch,
    allowPrivateAddresses: options.allowPrivateAddresses ?? testbed !== undefined,
    furtherKinds: await findFurtherKinds({ file, key }),
  })
  const isSigned = signedKinds.includes(explanation.kind)
  if (key !== undefined && !isSigned) {
    throw wrongUsage(
      `--key is for a signed conformance result or statement, but this is ${explanation.title}.`,
    )
  }
  if (json) printJson({ evaluationTime: now, ...explanation })
  else {
    const { stdout } = process
    const width = Math.min(Math.max(stdout.columns ?? 100, 60), 100)
    print(formatExplanation(explanation, { width, stream: stdout }))
    print(conclude(explanation, now))
    if (lacksAnswers(explanation) && !isSigned) say(hint)
  }
  process.exitCode = exitCodeOf(explanation, strict === true)
}

const signedKinds: readonly string[] = [signedResultKind, statementKind]

export interface FurtherKindsOptions {
  /** The path of the explained file, as given on the command line. */
  readonly file: string
  /** File with a public key that must verify a signature. */
  readonly key?: string | undefined
}

/**
 * What `testbed verify` explains in addition to the messages of the protocols. A kind that needs
 * more than core is added here and is tried first.
 * @throws TestbedError `invalid_option` if a key cannot be read
 */
async function findFurtherKinds({
  file,
  key,
}: FurtherKindsOptions): Promise<readonly ExplainableKind[]> {
  const publicKey =
    key === undefined
      ? undefined
      : readPublicKey(await readInput(key, 'the public key of --key'), key)
  // What an operator signs is next to the files that it signs, if all of them were passed.
  const readBeside = async (name: string) =>
    file === '-' ? undefined : readFile(join(dirname(file), name)).catch(() => undefined)
  const resultsJson = await readBeside('results.json')
  return [
    createSignedResultKind({ publicKey, resultsJson }),
    createStatementKind({ publicKey, readBeside }),
  ]
}

const looksLikeMessage = /^\s*(?:openid[\w-]*:|https?:|eyJ|\{)/i

/**
 * The message that a command received: the content of a file or stdin (`-`), decoded if it is an
 * image of a QR code, or the argument itself if it is not a file but a link, a JWT or JSON.
 * @throws TestbedError `invalid_option` if there is no message
 */
async function readMessage(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((cause) => {
    if (looksLikeMessage.test(file)) return Buffer.from(file)
    throw wrongUsage(`Cannot read ${file}: ${describeFileError(cause) ?? cause.code}.`)
  })
  const text = isImage(bytes) ? readImage(bytes, file) : bytes.toString('utf8')
  if (text.trim() === '') throw wrongUsage(`${file === '-' ? 'stdin' : file} is empty.`)
  return text
}

function isImage(bytes: Uint8Array): boolean {
  return (bytes[0] === 0x89 && bytes[1] === 0x50) || (bytes[0] === 0xff && bytes[1] === 0xd8)
}

function readImage(bytes: Uint8Array, file: string): string {
  const qr = readQrImage(bytes)
  if (qr.ok) return qr.text
  throw wrongUsage(`No message found in ${file === '-' ? 'stdin' : file}: ${qr.reason}.`)
}

function exitCodeOf({ verdict }: Explanation, strict: boolean): number {
  if (verdict === 'unrecognised') return exitCodes.wrongUsage
  const fails = verdict === 'broken' || (strict && verdict === 'not-checked')
  return fails ? exitCodes.failed : exitCodes.passed
}

const hint =
  'Rules marked ? need more input. --fetch reads linked messages. --did-registry, --tir and --root-did name the registries, which a running testbed supplies. --audience and --nonce set the expected values.'

function lacksAnswers({ rules, parts }: Explanation): boolean {
  const isOpen = rules.some(({ findings }) =>
    findings.some(({ unchecked }) => unchecked === 'not-asked'),
  )
  return isOpen || parts.some(lacksAnswers)
}

const conclusions = {
  holds: 'Every rule passes',
  broken: 'A rule is broken',
  'not-checked': 'No rule is broken, but some could not be checked',
} as const

function conclude({ verdict }: Explanation, now: number): string {
  if (verdict === 'unrecognised') return ''
  const time = displayTime(new Date(now * 1000).toISOString())
  return `
${conclusions[verdict]} (evaluated at ${time}).`
}
