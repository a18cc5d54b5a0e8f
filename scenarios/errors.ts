import { TestbedError } from '#core/errors/testbed-error.ts'

/** A command was given what it can't take: exit code 2. */
export const wrongUsage = (message: string, hints: readonly string[] = [], cause?: unknown) =>
  new TestbedError({ code: 'invalid_option', status: 400, message, hints, cause })

/** What a scenario failed at, with what was expected and what was found. */
export const expectationFailed = (
  message: string,
  found: { expected?: unknown; actual?: unknown } = {},
) => new TestbedError({ code: 'expectation_failed', status: 500, message, extra: found })

export const notInTime = (what: string, milliseconds: number) =>
  new TestbedError({
    code: 'not_in_time',
    status: 504,
    message: `Timed out after ${milliseconds} ms waiting for ${what}.`,
  })

export const noAnswer = (method: string, url: string, reason: string, cause: unknown) =>
  new TestbedError({
    code: 'no_answer',
    status: 503,
    message: `${method} ${url} got no response: ${reason}`,
    cause,
  })

export const redirectFailed = (message: string) =>
  new TestbedError({ code: 'redirect_failed', status: 502, message })

export const controlRefused = (status: number, path: string, problem: string) =>
  new TestbedError({
    code: 'control_refused',
    status: 502,
    message: `The control interface returned ${status} for ${path}: ${problem.slice(0, 500)}`,
    extra: { status },
  })

export const browserMissing = (platform: string, architecture: string) =>
  new TestbedError({
    code: 'browser_missing',
    status: 500,
    message: `No browser was found, and none is bundled for ${platform} on ${architecture}.`,
    hints: ['Install Chrome or Chromium, or set PUPPETEER_EXECUTABLE_PATH to one.'],
  })

export const browserFolderNotPrivate = (folder: string) =>
  new TestbedError({
    code: 'browser_folder_not_private',
    status: 500,
    message: `Other users may write to ${folder}, so no browser is unpacked there.`,
    hints: ['Remove that folder, or set TMPDIR to a private folder.'],
  })

export const browserNotUnpacked = (folder: string, cause: NodeJS.ErrnoException) =>
  new TestbedError({
    code: 'browser_not_unpacked',
    status: 500,
    message: `The bundled browser cannot be unpacked in ${folder} (${cause.code}).`,
    hints: ['Set TMPDIR to a writable folder, or install Chrome or Chromium.'],
    cause,
  })

export const browserDidNotStart = (path: string, cause: unknown) =>
  new TestbedError({
    code: 'browser_did_not_start',
    status: 500,
    message: `The browser ${path} did not start.`,
    detail: cause instanceof Error ? cause.message : String(cause),
    hints: [
      'Start it manually with --headless --version to see what is missing.',
      'Set PUPPETEER_EXECUTABLE_PATH to another Chrome or Chromium.',
    ],
    cause,
  })
