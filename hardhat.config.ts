import { defineConfig } from 'hardhat/config'
import {
  compilerPath,
  compilerSettings,
  compilerVersion,
} from './scripts/contracts/compiler-settings.ts'

/**
 * The chain of the testbed and of the tests: transactions cost nothing, so that a signer needs no
 * funds, and those that revert are mined with a receipt as on a production node.
 */
export default defineConfig({
  solidity: {
    version: compilerVersion,
    path: compilerPath,
    settings: compilerSettings,
  },
  paths: { tests: { solidity: 'test/contracts/solidity' } },
  test: {
    solidity: {
      // The same cases in every run: a failure can be looked at again.
      fuzz: { runs: 32, seed: '0x1' },
      invariant: { runs: 24, depth: 40, failOnRevert: true },
    },
  },
  networks: {
    default: {
      type: 'edr-simulated',
      chainType: 'l1',
      hardfork: 'cancun',
      initialBaseFeePerGas: 0,
      gasPrice: 0,
      throwOnTransactionFailures: false,
      allowBlocksWithSameTimestamp: true,
    },
  },
})
