/** What runtimes print of an error that nobody caught; their exit code then is 1, as of a refusal. */
const marks = [
  // Node, Deno and Bun.
  /^Node\.js v\d+/m,
  /^error: Uncaught /m,
  /^Bun v\d+/m,
  // Python.
  /^Traceback \(most recent call last\):/m,
  // The Java virtual machine.
  /^Exception in thread "/m,
  // Ruby, Rust and Go.
  /: (?:undefined method|uninitialized constant) .+ \((?:NoMethodError|NameError)\)/,
  /^thread '.+' (?:\(\d+\) )?panicked at /m,
  /^panic: .+\n\ngoroutine /m,
]

/** Says whether a program's standard error tells of a crash. */
export const looksLikeCrash = (stderr: string): boolean => marks.some((mark) => mark.test(stderr))
