import { readFile } from 'node:fs/promises'
import {
  acceptOffer,
  createWallet,
  createWalletTrust,
  present,
  readLink,
} from '#wallet-emulator/wallet.ts'

const [screenshot = '', request = '', didRegistryBaseUrl = '', tirBaseUrl = '', rootDid = ''] =
  process.argv.slice(2)

const wallet = createWallet({
  http: { allowPrivateAddresses: true }, // only for a testbed on this machine
  onEvent: ({ type }) => console.log(type),
})

// A PNG or JPEG file. readLink also reads text and camera frames.
const offer = readLink(await readFile(screenshot))
if (!offer.ok) throw new Error(offer.reason)
const [accepted] = await acceptOffer(wallet, offer.link, {
  getPin: (_txCode, { attempt }) => (attempt === 1 ? '493536' : undefined),
})
console.log(accepted?.verdict.verdict, accepted?.credential.id)

// The registries that know the verifier: didRegistryBaseUrl, tirBaseUrl and trustChain in testbed.json.
const trust = createWalletTrust(wallet.http, {
  environment: 'pre',
  didRegistryBaseUrl,
  tirBaseUrl,
  rootDids: [rootDid],
})
const { redirectUri } = await present(wallet, request, {
  ...trust,
  select: { prefer: 'longest-valid' },
  consent: ({ request: { clientId } }, { id }) => {
    console.log(`${clientId} gets ${id}`)
    return true
  },
})
console.log('Continue at', redirectUri)
