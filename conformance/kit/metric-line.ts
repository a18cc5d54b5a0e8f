/** A line of metrics in the Prometheus format: name, labels, value, time. */
export const metricLine = /^[a-z_:][\w:]*(\{.*\})?[ \t]+\S+([ \t]+-?\d+)?\r?$/im
