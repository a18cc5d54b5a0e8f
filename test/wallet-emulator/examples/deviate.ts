import { acceptOffer, createWallet, findFaults, isTestbedError } from '#wallet-emulator/wallet.ts'

const [offer = ''] = process.argv.slice(2)

const wallet = createWallet({
  http: { allowPrivateAddresses: true },
  faults: findFaults(['proof-wrong-typ']),
})
try {
  await acceptOffer(wallet, offer)
} catch (error) {
  if (!isTestbedError(error)) throw error
  console.log(error.code, error.extra.answer)
}
