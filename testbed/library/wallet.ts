// The package's entry `lear-testbed/wallet`.
import './require-node.ts'

// biome-ignore lint/performance/noBarrelFile: the library's own entry, which has no Node to look at
export * from '#wallet-emulator/wallet.ts'
