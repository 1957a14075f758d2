// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Several calls in one transaction: what of Multicall3 the facilitator's library asks for, which the public chains have
/// and a local one has not.
contract Multicall {
    struct Call {
        address target;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(results[i].success || !requireSuccess, "Multicall3: call failed");
        }
    }
}
