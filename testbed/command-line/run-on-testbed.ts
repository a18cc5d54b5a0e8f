import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { type RunScenariosOptions, runScenarios } from '#scenarios/harness/run-scenarios.ts'
import type { Results } from '#scenarios/harness/z-results.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'

/** A testbed to run against, and how to leave it. */
export interface UsedTestbed {
  readonly file: TestbedFile
  /** Whether it was started for this run; another one is left as it is, as far as that goes. */
  readonly isOwn: boolean
  close(): Promise<void>
}

export interface RunOnTestbedOptions
  extends Omit<RunScenariosOptions, 'testbed' | 'isOwnTestbed' | 'launchBrowser'> {
  readonly executablePath?: string | undefined
}

/** Runs scenarios in this process against one testbed, and leaves that. */
export async function runOnTestbed(
  { file, isOwn, close }: UsedTestbed,
  { executablePath, ...options }: RunOnTestbedOptions,
): Promise<Results> {
  try {
    return await runScenarios({
      ...options,
      testbed: file,
      isOwnTestbed: isOwn,
      launchBrowser: () => launchBrowser({ executablePath }),
    })
  } finally {
    await close()
  }
}
