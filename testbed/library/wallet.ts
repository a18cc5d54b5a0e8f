// The package's entry `lear-testbed/wallet`.
import './require-node.ts'

// biome-ignore-start lint/performance/noBarrelFile: an entry of the package is made of nothing else
export { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
export { createDidResolver } from '#wallet-emulator/actions/create-did-resolver.ts'
export { present } from '#wallet-emulator/actions/present.ts'
export { createWallet, type Wallet, type WalletOptions } from '#wallet-emulator/create-wallet.ts'
export { allFaults } from '#wallet-emulator/faults/all-faults.ts'
export { createAccount } from '#wallet-emulator/keys/create-account.ts'
export { readQrPng } from '#wallet-emulator/qr/read-qr-png.ts'
// biome-ignore-end lint/performance/noBarrelFile: an entry of the package is made of nothing else
