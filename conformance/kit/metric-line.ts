/** A line of a text that has metrics in the form of Prometheus: name, labels, value, time. */
export const metricLine = /^[a-z_:][\w:]*(\{.*\})?[ \t]+\S+([ \t]+-?\d+)?\r?$/im
