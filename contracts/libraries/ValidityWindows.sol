// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/**
 * @title Windows of time in which a verification method has a use.
 * @notice Uses are small numbers, and sets of them bit masks. A window includes both of its ends;
 * if its end is before its start, it never applies. Windows are never removed, since they are the
 * history. Their ends only move to earlier times.
 */
library ValidityWindows {
    struct Window {
        uint64 notBefore;
        uint64 notAfter;
        uint8 use;
    }

    /**
     * @notice Adds a window.
     * @param windows the windows of a verification method
     * @param use number of the use
     * @param notBefore first second
     * @param notAfter last second
     */
    function add(Window[] storage windows, uint8 use, uint64 notBefore, uint64 notAfter) internal {
        windows.push(Window({notBefore: notBefore, notAfter: notAfter, use: use}));
    }

    /**
     * @notice Ends the windows of some uses at `notAfter`, except those that end earlier.
     * @param windows the windows of a verification method
     * @param uses mask of the uses
     * @param notAfter last second
     */
    function end(Window[] storage windows, uint8 uses, uint64 notAfter) internal {
        uint256 length = windows.length;
        for (uint256 i = 0; i < length; ++i) {
            Window storage window = windows[i];
            if (_includes(uses, window.use) && window.notAfter > notAfter) window.notAfter = notAfter;
        }
    }

    // @assumption A-06
    /**
     * @notice The uses that are valid at `time`.
     * @param windows the windows of a verification method
     * @param time Unix seconds
     * @return uses mask of the uses
     */
    function usesAt(Window[] storage windows, uint64 time) internal view returns (uint8 uses) {
        uint256 length = windows.length;
        for (uint256 i = 0; i < length; ++i) {
            Window memory window = windows[i];
            if (window.notBefore <= time && time <= window.notAfter) uses |= _bit(window.use);
        }
    }

    /**
     * @notice The uses among `candidates` that are valid at `time` or later.
     * @param windows the windows of a verification method
     * @param candidates mask of the uses to check
     * @param time Unix seconds
     * @return uses mask of the uses
     * @return lastNotAfter the latest end of the windows of `candidates`; zero if there are none
     */
    function usesFrom(
        Window[] storage windows,
        uint8 candidates,
        uint64 time
    ) internal view returns (uint8 uses, uint64 lastNotAfter) {
        uint256 length = windows.length;
        for (uint256 i = 0; i < length; ++i) {
            Window memory window = windows[i];
            if (!_includes(candidates, window.use)) continue;
            if (window.notAfter > lastNotAfter) lastNotAfter = window.notAfter;
            if (window.notAfter >= time && window.notAfter >= window.notBefore) uses |= _bit(window.use);
        }
    }

    function _includes(uint8 uses, uint8 use) private pure returns (bool) {
        return uses & _bit(use) != 0;
    }

    function _bit(uint8 use) private pure returns (uint8) {
        return uint8(1) << use;
    }
}
