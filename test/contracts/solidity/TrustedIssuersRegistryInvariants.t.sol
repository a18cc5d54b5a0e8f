// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Key} from "./support/Keys.sol";
import {RegistryFixture} from "./support/RegistryFixture.sol";
import {TrustedIssuersRegistryHandler} from "./support/TrustedIssuersRegistryHandler.sol";

/// @notice Invariants after any sequence of operations. The handler checks the permissions of each operation.
contract TrustedIssuersRegistryInvariantsTest is RegistryFixture {
    TrustedIssuersRegistryHandler private _handler;
    Key[] private _keys;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 0; i < 4; ++i) _keys.push(_register(i));
        _handler = new TrustedIssuersRegistryHandler(registry, tir, OPERATOR, _keys);
    }

    /// @notice Only the handler is called: the runner asks for this.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    /// @notice Nothing published ever changes, and every attribute leads up to its root.
    function invariant_TheRegistryIsWhole() external {
        _handler.lookAtAll();
        _handler.climbFromAll();
    }
}
