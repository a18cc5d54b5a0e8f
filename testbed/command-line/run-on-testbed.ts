import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { type RunScenariosOptions, runScenarios } from '#scenarios/harness/run-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'

/** A testbed to run against, and how to leave it. */
export interface UsedTestbed {
  readonly file: TestbedFile
  /** Whether it was started for this run; another one is left as it is, as far as that goes. */
  readonly isOwn: boolean
  /** Where it runs in this process. */
  readonly readTraces?: RunScenariosOptions['readTraces']
  close(): Promise<void>
}

export interface RunOnTestbedOptions
  extends Omit<RunScenariosOptions, 'testbed' | 'isOwnTestbed' | 'launchBrowser' | 'readTraces'> {
  readonly executablePath?: string | undefined
}

/** Runs scenarios in this process against one testbed, and leaves that. */
export async function runOnTestbed(
  { file, isOwn, readTraces, close }: UsedTestbed,
  { executablePath, ...options }: RunOnTestbedOptions,
): Promise<Results> {
  try {
    return await runScenarios({
      ...options,
      testbed: file,
      isOwnTestbed: isOwn,
      ...(readTraces && { readTraces }),
      launchBrowser: () => launchBrowser({ executablePath }),
    })
  } finally {
    await close()
  }
}
