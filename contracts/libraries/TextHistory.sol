// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/**
 * @title History of a string value.
 * @notice Entries are ordered by time; of several values in one second the last one counts.
 */
library TextHistory {
    struct Entry {
        uint64 recordedAt;
        string value;
    }

    /**
     * @notice Records the value that applies from now on.
     * @param entries the history
     * @param value the text
     */
    function record(Entry[] storage entries, string calldata value) internal {
        entries.push(Entry({recordedAt: uint64(block.timestamp), value: value}));
    }

    /**
     * @notice The value at `time`, or an empty string before the first one.
     * @param entries the history
     * @param time Unix seconds
     */
    function valueAt(Entry[] storage entries, uint64 time) internal view returns (string memory) {
        uint256 low = 0;
        uint256 high = entries.length;
        while (low < high) {
            uint256 middle = (low + high) / 2;
            if (entries[middle].recordedAt <= time) low = middle + 1;
            else high = middle;
        }
        if (low == 0) return "";
        return entries[low - 1].value;
    }
}
