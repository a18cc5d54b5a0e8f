import type { DidEnvironment } from '#core/did/did-org.ts'
import { explain as explainMessage } from '#core/explanation/explain.ts'
import type { ExplainOptions, Explanation } from '#core/explanation/explanation.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { createWalletHttp } from '#wallet-emulator/http/create-wallet-http.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import {
  explanationTrustAt,
  fetchReferenced,
  type RegistryAddresses,
} from '#wallet-emulator/trust/explanation-trust.ts'

export interface ExplainMessageOptions
  extends Omit<ExplainOptions, 'now' | 'trust' | 'fetchReference'> {
  /** Unix seconds: the time of the evaluation. Default: the machine's. */
  readonly now?: number | undefined
  /** The content of a running testbed's `testbed.json`, to use its registries. */
  readonly testbed?: TestbedFile | undefined
  /** Third-party registries, by environment; they take precedence over those of the testbed. */
  readonly registries?: Readonly<Partial<Record<DidEnvironment, RegistryAddresses>>> | undefined
  /**
   * Whether to fetch what a link refers to by `credential_offer_uri` or `request_uri`. Default:
   * false.
   */
  readonly fetchReferences?: boolean | undefined
  /** Whether to fetch from this machine or its network. Default: false. */
  readonly allowPrivateAddresses?: boolean | undefined
}

/**
 * Explains a message (a string, a JSON value, or a PNG or JPEG file with a QR code): its kind, and
 * for each rule whether it passes, is broken or could not be checked. Makes requests only to the
 * given registries. Never throws because of the message's content.
 */
export async function explain(
  message: unknown,
  options: ExplainMessageOptions = {},
): Promise<Explanation> {
  const { testbed, registries = {}, fetchReferences, allowPrivateAddresses, ...rest } = options
  // A registry that the caller names may have any address.
  const http = createWalletHttp({ allowPrivateAddresses: true })
  const outwards = createWalletHttp({ allowPrivateAddresses: allowPrivateAddresses ?? false })
  const known = { ...addressesOf(testbed), ...registries }
  const text = message instanceof Uint8Array ? readBytes(message) : message
  return explainMessage(text, {
    ...rest,
    now: options.now ?? Math.floor(Date.now() / 1000),
    trust: Object.fromEntries(
      Object.entries(known).map(([name, addresses]) => [name, explanationTrustAt(http, addresses)]),
    ),
    ...(fetchReferences ? { fetchReference: (url: string) => fetchReferenced(outwards, url) } : {}),
  })
}

/** The content of a file: the text of the QR code if it is an image, else its text. */
function readBytes(bytes: Uint8Array): string {
  const qr = readQrImage(bytes)
  return qr.ok ? qr.text : Buffer.from(bytes).toString('utf8')
}

function addressesOf(testbed: TestbedFile | undefined) {
  const entries = Object.entries(testbed?.environments ?? {}).map(
    ([name, environment]): [string, RegistryAddresses] => [
      name,
      {
        didRegistryBaseUrl: environment.didRegistryBaseUrl,
        tirBaseUrl: environment.tirBaseUrl,
        rootDids: [environment.trustChain.rootTao.did],
        credentialIssuerUrls: [environment.credentialIssuerUrl, environment.issuerBaseUrl],
        credentialType: environment.credentialType,
      },
    ],
  )
  return Object.fromEntries(entries)
}
