import {
  acceptOffer,
  createWallet,
  createWalletTrust,
  isTestbedError,
} from '#wallet-emulator/wallet.ts'

const [offer = '', didRegistryBaseUrl = '', tirBaseUrl = '', rootDid = ''] = process.argv.slice(2)

const wallet = createWallet({ http: { allowPrivateAddresses: true } })
const trust = createWalletTrust(wallet.http, {
  environment: 'pre',
  didRegistryBaseUrl,
  tirBaseUrl,
  rootDids: [rootDid],
})

try {
  const [accepted] = await acceptOffer(wallet, offer, {
    ...trust,
    policy: {
      broken: { 'credential.employee-id': 'warn' }, // every other broken rule rejects
      unavailable: { 'credential.status': 'warn' }, // a failed lookup also rejects
    },
  })
  console.log(accepted?.verdict)
} catch (error) {
  if (!isTestbedError(error)) throw error
  console.log(error.code)
  console.log(error.extra.failures ?? error.extra.answer)
}
