import type { Figure } from './measurement.ts'

/** The figures of one measurement as lines for a terminal. */
export function printFigures(title: string, figures: readonly Figure[]): string {
  const lines = figures.flatMap((figure) => [
    `  ${figure.holds ? 'holds ' : 'MISSED'}  ${figure.what}: ${figure.target}`,
    `          ours  ${figure.ours}`,
    ...(figure.peer === undefined ? [] : [`          peer  ${figure.peer}`]),
  ])
  return [title, ...lines].join('\n')
}
