import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import hardhatEthers from '@nomicfoundation/hardhat-ethers'
import { defineConfig, overrideTask, task } from 'hardhat/config'
import {
  compilerPath,
  compilerSettings,
  compilerVersion,
} from './scripts/contracts/compiler-settings.ts'

const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
)

/** `ethers` in the console, connected to the network of `--network`, with the contracts by name. */
const consoleWithEthers = overrideTask('console')
  .setAction(async () => ({
    default: async (args, { network }, runSuper) => {
      const { ethers } = await network.create()
      // The console's own context takes over what is global when it starts.
      Object.assign(globalThis, { ethers })
      return runSuper(args)
    },
  }))
  .build()

/** The TypeScript tests of the contracts, so that `hardhat test` runs them after the Solidity tests. */
const vitestRunner = task(['test', 'vitest'], 'Run the TypeScript tests of the contracts')
  .addVariadicArgument({
    name: 'testFiles',
    description: 'Only these files',
    defaultValue: [],
  })
  .addOption({
    name: 'grep',
    description: 'Only tests whose name contains this text',
    defaultValue: '',
  })
  // What `hardhat test` passes to each runner: nothing is compiled here, regardless of the flag.
  .addFlag({ name: 'noCompile', description: 'Changes nothing' })
  .setAction(async () => ({
    default: ({ testFiles, grep }) => {
      const files = testFiles.length > 0 ? testFiles : ['test/contracts']
      // The Solidity tests are Hardhat's own.
      const filters = [...files, '--exclude', '**/solidity.test.ts', '-t', grep]
      const { status } = spawnSync(process.execPath, [vitest, 'run', ...filters], {
        cwd: import.meta.dirname,
        stdio: 'inherit',
      })
      if (status !== 0) process.exitCode = 1
    },
  }))
  .build()

/**
 * The network of the contracts' tests and of the console: transactions cost nothing, so that a
 * signer needs no funds, and those that revert are mined with a receipt as on a production node.
 */
export default defineConfig({
  plugins: [hardhatEthers],
  tasks: [consoleWithEthers, vitestRunner],
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
